import type { BootstrapContext } from '../../project/extensions.js';
import type { App } from '../../project/open-app.js';

/** The values that the console and scripts have in scope, by name. */
export type Scope = Pick<BootstrapContext, 'documents' | 'prisma' | 'model' | 'config' | 'strapi'>;

export async function openScope({ openContext }: App): Promise<Scope> {
  const { documents, prisma, model, config, strapi } = await openContext();
  return { documents, prisma, model, config, strapi };
}

/** Runs work during which the values are global variables. */
export async function withGlobals<T>(values: object, work: () => Promise<T>): Promise<T> {
  const originals = Object.keys(values).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value, configurable: true, enumerable: true, writable: true });
  try {
    return await work();
  } finally {
    for (const [name, original] of originals)
      if (original === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, original);
  }
}
