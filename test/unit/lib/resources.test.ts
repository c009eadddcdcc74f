import { describe, expect, it } from 'vitest';
import { createDisposer } from '../../../src/lib/resources.js';

describe('a disposer', () => {
  it('closes in reverse order, once', async () => {
    const order: number[] = [];
    const disposer = createDisposer();
    for (const number of [1, 2, 3]) disposer.add(async () => void order.push(number));
    await Promise.all([disposer.close(), disposer.close()]);
    expect(order).toEqual([3, 2, 1]);
  });

  it('goes on after a failure, and throws it', async () => {
    const order: number[] = [];
    const disposer = createDisposer();
    disposer.add(async () => void order.push(1));
    disposer.add(async () => {
      throw new Error('two');
    });
    disposer.add(async () => void order.push(3));
    await expect(disposer.close()).rejects.toThrow('two');
    expect(order).toEqual([3, 1]);
  });

  it('throws all failures as one error', async () => {
    const disposer = createDisposer();
    for (const message of ['one', 'two'])
      disposer.add(async () => {
        throw new Error(message);
      });
    await expect(disposer.close()).rejects.toMatchObject({
      errors: [{ message: 'two' }, { message: 'one' }],
    });
  });
});
