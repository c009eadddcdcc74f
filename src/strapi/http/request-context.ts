import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from './context.js';

type ContextSource = Context | (() => Context);

/** Gives any code the context of the request that it runs for. */
export interface RequestContext {
  readonly get: () => Context | undefined;
  readonly run: <Result>(context: ContextSource, run: () => Result) => Result;
  /** Stops tracking contexts. Otherwise each later promise of the process costs more. */
  readonly close: () => void;
}

/** `strapi.requestContext`. A function as context is called only if somebody asks for it. */
export function createRequestContext(): RequestContext {
  const storage = new AsyncLocalStorage<{ context: ContextSource }>();
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
    close: () => storage.disable(),
  };
}
