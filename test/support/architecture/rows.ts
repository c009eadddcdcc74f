/** The rooms of src/ by row. A room imports only from strictly lower rows; rooms of one row never import one another. */
export const ROWS: readonly (readonly string[])[] = [
  ['lib', 'errors'],
  ['config', 'dialects', 'fields'],
  ['content-types'],
  ['model'],
  ['query'],
  ['prisma-schema', 'validation', 'sql', 'typegen'],
  ['database'],
  ['migrations', 'documents', 'access', 'media', 'mail'],
  ['rest', 'graphql'],
  ['server'],
  ['app'],
  ['scaffold'],
  ['commands', 'hooks'],
];

/** The last row whose rooms are pure: no network, process or disk, no Fastify and no Prisma Client. */
export const LAST_PURE_ROW = 5;

/** The public entry, which stands above all rooms. */
export const ENTRY = 'src/index.ts';

/** The room of a file in src/ (`src/model/model.ts` → `model`); undefined for files that stand in no room. */
export function roomOf(file: string): string | undefined {
  const [, room, ...rest] = file.split('/');
  return rest.length === 0 ? undefined : room;
}

/** The room's row, or -1 where the table does not have it. */
export function rowOf(room: string): number {
  return ROWS.findIndex((rooms) => rooms.includes(room));
}
