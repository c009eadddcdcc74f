import type { Context } from './context.js';

type Next = () => Promise<unknown>;

/** A middleware or handler in Koa's style. */
export type Middleware = (context: Context, next: Next) => unknown;

/**
 * Joins middlewares into one. Each gets a function that runs the rest; the last one's runs `next`. Whoever
 * calls it twice gets an error, since the rest would answer twice.
 */
export function compose(middlewares: readonly Middleware[]): Middleware {
  return (context, next) => {
    let reached = -1;
    const run = async (index: number): Promise<unknown> => {
      if (index <= reached) throw new Error('next() was called more than once');
      reached = index;
      const middleware = middlewares[index];
      return middleware === undefined ? next() : middleware(context, () => run(index + 1));
    };
    return run(0);
  };
}
