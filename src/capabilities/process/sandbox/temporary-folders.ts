/** Each command finds these empty, may fill them, and loses what it wrote there. */
export const temporaryFolders = ['/tmp', '/var/tmp', '/run']
