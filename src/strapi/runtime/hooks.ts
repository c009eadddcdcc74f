type Handler = (context: unknown) => unknown;

/** A hook of Strapi, which code registers handlers with. */
interface Hook {
  readonly register: (handler: Handler) => Hook;
  readonly delete: (handler: Handler) => Hook;
  readonly getHandlers: () => readonly Handler[];
  readonly call: (context: unknown) => Promise<void>;
}

/** `strapi.hook`, and the hooks that Strapi calls once it has brought its tables up to date. */
export interface Hooks {
  readonly hook: (name: string) => Hook;
  /** Calls what waits for the content-types. They are what they were, since migrations change them. */
  readonly runSync: (contentTypes: unknown) => Promise<void>;
}

const SYNC_HOOKS = ['strapi::content-types.beforeSync', 'strapi::content-types.afterSync'];

const createHook = (): Hook => {
  const handlers = new Set<Handler>();
  const hook: Hook = {
    register: (handler) => {
      handlers.add(handler);
      return hook;
    },
    delete: (handler) => {
      handlers.delete(handler);
      return hook;
    },
    getHandlers: () => [...handlers],
    call: async (context) => {
      for (const handler of handlers) await handler(context);
    },
  };
  return hook;
};

/** Creates the hooks of one application. */
export function createHooks(): Hooks {
  const hooks = new Map<string, Hook>();
  const find = (name: string): Hook => {
    const hook = hooks.get(name) ?? createHook();
    hooks.set(name, hook);
    return hook;
  };
  return {
    hook: find,
    runSync: async (contentTypes) => {
      for (const name of SYNC_HOOKS) await find(name).call({ oldContentTypes: contentTypes, contentTypes });
    },
  };
}
