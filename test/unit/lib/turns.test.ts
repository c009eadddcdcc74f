import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../src/lib/turns.js';

describe('turns', () => {
  it('come one at a time, in the order asked for', async () => {
    const turns = createTurns();
    const log: string[] = [];
    const work = (name: string, ms: number) => turns.run(async () => {
      log.push(`${name} in`);
      await sleep(ms);
      log.push(`${name} out`);
    });
    await Promise.all([work('a', 10), work('b', 1), work('c', 1)]);
    expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  });

  it('pass on from work that fails, which keeps its error', async () => {
    const turns = createTurns();
    await expect(turns.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(turns.run(async () => 'next')).resolves.toBe('next');
  });

  it('may be passed on more than once', async () => {
    const turns = createTurns();
    const pass = await turns.take();
    const second = turns.take();
    pass();
    pass();
    const third = turns.take();
    (await second)();
    await third;
  });
});
