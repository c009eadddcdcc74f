import type { Log } from './runtime/log.js';

type ContentTypes = Readonly<Record<string, { readonly attributes: Readonly<Record<string, unknown>> }>>;

/**
 * Returns a function that logs which attributes code has added to content-types since, which Strapi would
 * make columns of. Here the model is built before any code runs.
 */
export function watchAttributes(contentTypes: ContentTypes, log: Pick<Log, 'warn'>): () => void {
  const known = new Map(
    Object.entries(contentTypes).map(([uid, { attributes }]) => [uid, new Set(Object.keys(attributes))]),
  );
  return () => {
    for (const [uid, { attributes }] of Object.entries(contentTypes)) {
      const added = Object.keys(attributes).filter((name) => known.get(uid)?.has(name) === false);
      if (added.length > 0)
        log.warn(
          `Code adds attributes to ${uid} in register, which has no effect: ${added.join(', ')}. ` +
            'Write them into its schema file, or into strapi-server of src/extensions.',
        );
    }
  };
}
