import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as afterPolling } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { oncePerTurn } from '../../../src/lib/once-per-turn.js';

describe('a value that is read once per turn', () => {
  it('is read again after the event loop has polled', async () => {
    let reads = 0;
    const read = oncePerTurn(() => (reads += 1));
    expect([read(), read()]).toEqual([1, 1]);
    await Promise.resolve();
    expect(read()).toBe(1);
    await afterPolling();
    expect(read()).toBe(2);
  });

  it('is that of now for each request whose sender was told of a change', async () => {
    let value = 0;
    const read = oncePerTurn(() => value);
    const server = createServer((_request, response) => response.end(String(read())));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const ask = (): Promise<string> =>
      new Promise((resolve) => {
        const outgoing = request({ port, agent: false }, (response) => {
          response.once('data', (part: Buffer) => resolve(part.toString()));
        });
        outgoing.end();
      });
    for (let round = 1; round <= 20; round += 1) {
      const before = Array.from({ length: 10 }, ask);
      value = round;
      expect(await ask()).toBe(String(round));
      await Promise.all(before);
    }
  });
});
