#!/bin/sh
# Tells people of a question. In the config: "approval": { "notify": { "command": ["/path/to/notify-question.sh"] } }
# Keep one of these and delete the others. Quote every variable: callers choose some of the text.
set -eu

# A notification on the desktop
notify-send 'Toolpact asks' "$TOOLPACT_QUESTION_TEXT
$TOOLPACT_QUESTION_LINK"

# A mail
printf '%s\n%s\n' "$TOOLPACT_QUESTION_TEXT" "$TOOLPACT_QUESTION_LINK" | mail -s 'Toolpact asks' ops@example.com

# A message to a chat (put CHAT_WEBHOOK into policy.keepEnvironment; jq quotes the text)
jq -n --arg text "$TOOLPACT_QUESTION_TEXT $TOOLPACT_QUESTION_LINK" '{ text: $text }' |
  curl --fail --silent --show-error --max-time 10 --json @- "$CHAT_WEBHOOK"
