import type { Scope } from './scope.js';

type Call = (...parameters: unknown[]) => unknown;

const isCall = (value: unknown): value is Call => typeof value === 'function';

/** Adds the line of the call to the stack of an error, which ends where retries begin. */
const traced =
  (call: Call, target: object): Call =>
  (...parameters) => {
    const { stack = '' } = new Error('call');
    const result = Reflect.apply(call, target, parameters);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      if (error instanceof Error)
        error.stack = `${error.stack ?? ''}\n${stack.split('\n').slice(2).join('\n')}`;
      throw error;
    });
  };

/** The document service whose errors tell from which line of a script it was called. */
export function traceCalls(documents: Scope['documents']): Scope['documents'] {
  return new Proxy(documents, {
    apply: (target, self, parameters) => {
      const repository: unknown = Reflect.apply(target, self, parameters);
      if (typeof repository !== 'object' || repository === null) return repository;
      return Object.fromEntries(
        Object.entries(repository).map(([name, value]: [string, unknown]) => [
          name,
          isCall(value) ? traced(value, repository) : value,
        ]),
      );
    },
  });
}
