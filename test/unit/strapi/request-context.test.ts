import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import type { Context } from '../../../src/strapi/http/context.js';
import { createRequestContext } from '../../../src/strapi/http/request-context.js';

const context = { path: '/api/articles' } as Context;
const createResponse = (): ServerResponse => new EventEmitter() as ServerResponse;

describe('the context of a request', () => {
  let disable: MockInstance<() => void>;
  beforeEach(() => {
    vi.useFakeTimers();
    disable = vi.spyOn(AsyncLocalStorage.prototype, 'disable');
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is found by what runs for it, and created when it is first asked for', async () => {
    const requestContext = createRequestContext();
    const create = vi.fn(() => context);
    const found: (Context | undefined)[] = [];
    requestContext.runUntilSent(createResponse(), create, () => {
      void Promise.resolve().then(() => found.push(requestContext.get(), requestContext.get()));
    });
    expect(create).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(0);
    expect(found).toEqual([context, context]);
    expect(create).toHaveBeenCalledTimes(1);
    expect(requestContext.get()).toBeUndefined();
  });

  it('is found for a while after the response, and then slows no other promises down', async () => {
    const requestContext = createRequestContext();
    const [first, second] = [createResponse(), createResponse()];
    const later = vi.fn();
    const fiveSeconds = new Promise((resolve) => {
      setTimeout(resolve, 5000);
    });
    requestContext.runUntilSent(first, context, () => {
      void fiveSeconds.then(() => later(requestContext.get()));
    });
    requestContext.runUntilSent(second, context, () => undefined);
    first.emit('close');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(later).toHaveBeenCalledWith(context);
    expect(disable).not.toHaveBeenCalled();
    second.emit('close');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(disable).toHaveBeenCalledTimes(1);
  });

  it('is kept as long as what a project runs in one of its own', async () => {
    const requestContext = createRequestContext();
    const failing = requestContext.run(context, async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 30_000);
      });
      throw new Error(requestContext.get()?.path);
    });
    const failed = failing.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(disable).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await failed).toEqual(new Error('/api/articles'));
    expect(disable).toHaveBeenCalledTimes(1);
    expect(() =>
      requestContext.run(context, () => {
        throw new TypeError('at once');
      }),
    ).toThrow('at once');
    expect(requestContext.run(context, () => requestContext.get())).toBe(context);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(disable).toHaveBeenCalledTimes(2);
  });
});
