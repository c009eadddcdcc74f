type AnyFunction = (...values: unknown[]) => unknown;
type Mapper = (value: unknown, index: number) => unknown;

interface MapOptions {
  readonly concurrency?: number;
}

const mapAll = async (
  values: Iterable<unknown>,
  mapper: Mapper,
  { concurrency = Infinity }: MapOptions = {},
): Promise<unknown[]> => {
  const items = await Promise.all(values);
  const results: unknown[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await mapper(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  return results;
};

/** `async` of `@strapi/utils`: helpers for asynchronous functions. */
export const async = {
  /** Calls functions in turn, each with the result of the previous one. */
  pipe:
    (...functions: readonly AnyFunction[]) =>
    async (...values: unknown[]): Promise<unknown> => {
      const [first, ...rest] = functions;
      let result: unknown = await first?.(...values);
      for (const each of rest) result = await each(result);
      return result;
    },
  /** Maps values. Without a function, returns a function that takes it. */
  map: (values: Iterable<unknown>, ...rest: [Mapper?, MapOptions?]): unknown => {
    const [mapper, options] = rest;
    if (mapper !== undefined) return mapAll(values, mapper, options);
    return (later: Mapper, laterOptions?: MapOptions) => mapAll(values, later, laterOptions);
  },
  reduce:
    (values: readonly unknown[]) =>
    async (add: (sum: unknown, value: unknown, index: number) => unknown, start: unknown) => {
      let sum: unknown = start;
      for (const [index, value] of values.entries()) sum = await add(sum, await value, index);
      return sum;
    },
};

type Handler = (context: unknown) => unknown;

const createHook = <T extends { call: Handler }>(behaviour: (handlers: () => readonly Handler[]) => T) => {
  let handlers: readonly Handler[] = [];
  const hook = {
    ...behaviour(() => handlers),
    getHandlers: () => handlers,
    register: (handler: Handler) => {
      handlers = [...handlers, handler];
      return hook;
    },
    delete: (handler: Handler) => {
      handlers = handlers.filter((each) => each !== handler);
      return hook;
    },
  };
  return hook;
};

const createAsyncSeriesHook = () =>
  createHook((handlers) => ({
    call: async (context) => {
      for (const handler of handlers()) await handler(context);
    },
  }));

const createAsyncParallelHook = () =>
  createHook((handlers) => ({
    call: async (context) => Promise.all(handlers().map((handler) => handler(structuredClone(context)))),
  }));

/** `hooks` of `@strapi/utils`: lists of handlers with different ways to call them. */
export const hooks = {
  internals: { createHook },
  createAsyncSeriesHook,
  createAsyncParallelHook,
  createAsyncSeriesWaterfallHook: () =>
    createHook((handlers) => ({
      call: async (context) => {
        let result = context;
        for (const handler of handlers()) result = await handler(result);
        return result;
      },
    })),
  createAsyncBailHook: () =>
    createHook((handlers) => ({
      call: async (context) => {
        for (const handler of handlers()) {
          const result = await handler(context);
          if (result !== undefined) return result;
        }
        return undefined;
      },
    })),
};

/** Creates a registry whose hooks are called when something is added or removed. */
export function providerFactory({ throwOnDuplicates = true }: { readonly throwOnDuplicates?: boolean } = {}) {
  const registry = new Map<unknown, unknown>();
  const called = {
    willRegister: createAsyncSeriesHook(),
    didRegister: createAsyncParallelHook(),
    willDelete: createAsyncParallelHook(),
    didDelete: createAsyncParallelHook(),
  };
  const provider = {
    hooks: called,
    register: async (key: unknown, value: unknown) => {
      if (throwOnDuplicates && registry.has(key)) throw new Error(`Duplicated item key: ${String(key)}`);
      await called.willRegister.call({ key, value });
      registry.set(key, value);
      await called.didRegister.call({ key, value });
      return provider;
    },
    delete: async (key: unknown) => {
      if (!registry.has(key)) return provider;
      const value = registry.get(key);
      await called.willDelete.call({ key, value });
      registry.delete(key);
      await called.didDelete.call({ key, value });
      return provider;
    },
    get: (key: unknown) => registry.get(key),
    values: () => [...registry.values()],
    keys: () => [...registry.keys()],
    has: (key: unknown) => registry.has(key),
    size: () => registry.size,
    clear: async () => {
      for (const key of registry.keys()) await provider.delete(key);
      return provider;
    },
  };
  return provider;
}

/** `policy` of `@strapi/utils`. */
export const policy = {
  createPolicy: ({
    name = 'unnamed',
    validator,
    handler,
  }: {
    readonly name?: string;
    readonly validator?: (config: unknown) => unknown;
    readonly handler: AnyFunction;
  }) => ({
    name,
    validator: (config: unknown): void => {
      try {
        validator?.(config);
      } catch (cause) {
        throw new Error(`Invalid config passed to "${name}" policy.`, { cause });
      }
    },
    handler,
  }),
  createPolicyContext: (type: string, context: object) =>
    Object.assign({ is: (other: unknown) => other === type, type }, context),
};
