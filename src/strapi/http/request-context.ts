import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Context } from './context.js';

/** How long code that runs on after its request was answered still finds the context, in milliseconds. */
const KEPT_MS = 10_000;

type ContextSource = Context | (() => Context);

/** Where the context of the request that is being handled is found, by any code that runs for it. */
export interface RequestContext {
  readonly get: () => Context | undefined;
  readonly run: <Result>(context: ContextSource, run: () => Result) => Result;
  /** Like `run`, for what runs until the response is sent. */
  readonly runUntilSent: (response: ServerResponse, context: ContextSource, run: () => void) => void;
}

/** `strapi.requestContext`. A function as context is called only if somebody asks for it. */
export function createRequestContext(): RequestContext {
  const storage = new AsyncLocalStorage<{ context: ContextSource }>();
  let open = 0;
  let ending: NodeJS.Timeout | undefined;
  const begin = (): void => {
    clearTimeout(ending);
    open += 1;
  };
  const end = (): void => {
    open -= 1;
    // An enabled AsyncLocalStorage slows down every promise of the process, also those of plain reads.
    if (open === 0) ending = setTimeout(() => storage.disable(), KEPT_MS).unref();
  };
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
    run: (context, run) => {
      begin();
      try {
        const result = storage.run({ context }, run);
        if (result instanceof Promise) return result.finally(end) as typeof result;
        end();
        return result;
      } catch (error) {
        end();
        throw error;
      }
    },
    runUntilSent: (response, context, run) => {
      begin();
      response.once('close', end);
      storage.run({ context }, run);
    },
  };
}
