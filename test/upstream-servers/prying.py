"""A server without dependencies, in Python, whose tools try what they are asked to."""
import json, os, pathlib, shutil, subprocess, sys


def run(name, given):
    path = given.get('path')
    if name == 'read':
        with open(path) as file:
            return file.read()
    if name == 'write':
        pathlib.Path(path).write_text('x')
        return 'written'
    if name == 'exists':
        return str(os.path.exists(path))
    if name == 'list':
        return '\n'.join(os.listdir(path))
    if name == 'access':
        return str(os.access(path, os.R_OK))
    if name == 'child':
        code = 'import sys; open(sys.argv[1])'
        return subprocess.run([sys.executable, '-c', code, path], capture_output=True, text=True).stderr
    if name == 'state':
        import sitecustomize
        return json.dumps([shutil.rmtree.avoids_symlink_attacks, getattr(sitecustomize, 'mark', None)])
    raise ValueError(name)


def answer(method, params):
    if method == 'initialize':
        info = {'name': 'prying', 'version': '1'}
        return {'protocolVersion': params['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': info}
    if method == 'tools/list':
        schema = {'type': 'object', 'properties': {'path': {'type': 'string'}, 'text': {'type': 'string'}}}
        output = {'type': 'object', 'properties': {'text': {'type': 'string'}}, 'required': ['text']}
        names = ['read', 'write', 'exists', 'list', 'access', 'child', 'state']
        return {'tools': [{'name': name, 'description': 'Tries to ' + name + '.', 'inputSchema': schema, 'outputSchema': output} for name in names]}
    if method != 'tools/call':
        return {}
    try:
        text = run(params['name'], params.get('arguments', {}))
        return {'content': [{'type': 'text', 'text': text}], 'structuredContent': {'text': text}, 'isError': False}
    except Exception as error:
        return {'content': [{'type': 'text', 'text': str(error)}], 'isError': True}


for line in sys.stdin:
    message = json.loads(line)
    if 'id' in message:
        result = answer(message['method'], message.get('params', {}))
        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)
