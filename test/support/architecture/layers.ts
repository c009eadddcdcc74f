/**
 * The layers of src/ by row. A layer imports only from strictly lower rows; layers of one row never import
 * one another.
 */
export const LAYER_LEVELS: readonly (readonly string[])[] = [
  ['lib', 'errors'],
  ['config', 'prisma', 'fields'],
  ['content-types', 'dialects'],
  ['model'],
  ['query'],
  ['prisma-schema', 'validation', 'sql', 'typegen'],
  ['database', 'remote', 'client'],
  ['migrations', 'documents', 'access', 'media', 'mail'],
  ['http', 'webhooks', 'schedules', 'history', 'telemetry'],
  ['rest', 'graphql', 'transfer', 'content-store'],
  ['server', 'openapi', 'content-files', 'content-tables'],
  ['strapi'],
  ['app'],
  ['scaffold'],
  ['cli'],
  ['commands', 'hooks'],
];

/** The last row whose layers are pure: no network, process or disk, no Fastify and no Prisma Client. */
export const LAST_PURE_LEVEL = 5;

/** The public entries, which are above all layers: the package, and the client for browsers. */
export const ENTRIES: readonly string[] = ['src/index.ts', 'src/client.ts'];

/** The layer of a file: `model` for `src/model/model.ts`. Undefined for files in no layer. */
export function layerOf(file: string): string | undefined {
  const [, layer, ...rest] = file.split('/');
  return rest.length === 0 ? undefined : layer;
}

/** Returns the layer's row, or -1 for an unknown layer. */
export function levelOf(layer: string): number {
  return LAYER_LEVELS.findIndex((layers) => layers.includes(layer));
}
