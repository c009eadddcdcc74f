/**
 * The rooms of src/ by row. A room imports only from rooms of lower rows; rooms of one row never import one
 * another.
 */
const ROOMS: readonly (readonly string[])[] = [
  ['lib', 'errors'],
  ['config'],
  ['database'],
  ['model'],
  ['query'],
  ['generate'],
  ['documents'],
  ['migrations', 'access', 'media'],
  ['api'],
  ['server', 'transfer'],
  ['strapi'],
  ['project'],
  ['cli'],
  ['commands'],
];

/**
 * The folders of a room by row, under the same rule. Files and folders that are not named belong to the row
 * of the room itself, which is `.`.
 */
const FOLDERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  database: [['prisma'], ['dialect'], ['sqlite', 'postgres'], ['.']],
  model: [['fields'], ['content-types'], ['.']],
  query: [['.'], ['parse'], ['compile']],
  generate: [['prisma-schema', 'typegen']],
  documents: [['validation'], ['.'], ['versions'], ['releases']],
  api: [['client', 'http', 'webhooks'], ['administration'], ['rest', 'graphql', 'mcp'], ['openapi']],
  transfer: [['.'], ['files', 'tables'], ['checks', 'xliff']],
  project: [['.'], ['scaffold']],
};

/** Rooms and folders that touch no network, process or disk, and import neither Fastify nor Prisma Client. */
const PURE: readonly string[] = [
  'lib',
  'errors',
  'config',
  'database/prisma',
  'database/dialect',
  'database/sqlite',
  'database/postgres',
  'model',
  'query',
  'generate',
  'documents/validation',
];

/** The public entries, which are above all rooms: the package, and the client for browsers. */
export const ENTRIES: readonly string[] = ['src/index.ts', 'src/client.ts'];

/** Where a file stands: its room, and its folder among those of {@link FOLDERS} (`.` for any other). */
export interface Place {
  readonly room: string;
  readonly folder: string;
}

/**
 * The place of a file: room `model` and folder `fields` for `src/model/fields/date.ts`. Undefined for files
 * in no room.
 */
export function placeOf(file: string): Place | undefined {
  const [, room, folder, ...rest] = file.split('/');
  if (room === undefined || folder === undefined) return undefined;
  const isNamed = rest.length > 0 && FOLDERS[room]?.flat().includes(folder) === true;
  return { room, folder: isNamed ? folder : '.' };
}

/** The names of all rooms. */
export function rooms(): readonly string[] {
  return ROOMS.flat();
}

/** Returns the room's row, or -1 for an unknown room. */
export function rowOf(room: string): number {
  return ROOMS.findIndex((row) => row.includes(room));
}

/** Returns the row of a place among the folders of its room, 0 where the room has no rows of its own. */
export function folderRowOf({ room, folder }: Place): number {
  return Math.max(FOLDERS[room]?.findIndex((row) => row.includes(folder)) ?? 0, 0);
}

/** True if the place is one of a room or folder of the list, such as `model` or `api/rest`. */
export function isIn({ room, folder }: Place, list: readonly string[]): boolean {
  return list.includes(room) || list.includes(`${room}/${folder}`);
}

/** True if the place touches no network, process or disk. */
export function isPure(place: Place): boolean {
  return isIn(place, PURE);
}
