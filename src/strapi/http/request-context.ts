import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from './context.js';

/** Where the context of the request that is being handled is found, by any code that runs for it. */
export interface RequestContext {
  readonly get: () => Context | undefined;
  readonly run: <Result>(context: Context | (() => Context), run: () => Result) => Result;
}

/** `strapi.requestContext`. A function as context is called only if somebody asks for it. */
export function createRequestContext(): RequestContext {
  const storage = new AsyncLocalStorage<{ context: Context | (() => Context) }>();
  return {
    get: () => {
      const store = storage.getStore();
      if (store === undefined) return undefined;
      const { context } = store;
      if (typeof context !== 'function') return context;
      const created = context();
      store.context = created;
      return created;
    },
    run: (context, run) => storage.run({ context }, run),
  };
}
