import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Where Debian puts servers, which is not in everyone's PATH. */
const SERVER_FOLDER = '/usr/sbin';

/** Returns the path of the first of these programs that is installed. */
export function findExecutable(names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), SERVER_FOLDER].filter(
    (folder) => folder !== '',
  );
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}
