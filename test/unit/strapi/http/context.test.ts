import { describe, expect, it, vi } from 'vitest';
import type { Context } from '../../../../src/strapi/http/context.js';
import { createRequestContext } from '../../../../src/strapi/http/context.js';

const context = { path: '/api/articles' } as Context;

describe('the context of a request', () => {
  it('is found by what runs for it, and created when it is first asked for', async () => {
    const requestContext = createRequestContext();
    const create = vi.fn(() => context);
    const found = requestContext.run(create, async () => {
      await Promise.resolve();
      return [requestContext.get(), requestContext.get()];
    });
    expect(create).not.toHaveBeenCalled();
    expect(await found).toEqual([context, context]);
    expect(create).toHaveBeenCalledTimes(1);
    expect(requestContext.get()).toBeUndefined();
  });

  it('is found by what runs on after the response', async () => {
    const requestContext = createRequestContext();
    let respond = (): void => undefined;
    const responded = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const later = requestContext.run(context, () => responded.then(() => requestContext.get()));
    expect(requestContext.get()).toBeUndefined();
    respond();
    expect(await later).toBe(context);
  });
});
