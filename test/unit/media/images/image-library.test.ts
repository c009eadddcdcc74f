import { expect, it } from 'vitest';
import { createImageQueue } from '../../../../src/media/images/image-library.js';

const BUSY = { code: 'upload/busy', kind: 'unavailable' };

it('processes one image at a time, and rejects those that would wait for long', async () => {
  const queue = createImageQueue(1, 1);
  const started: string[] = [];
  let finish: () => void = () => undefined;
  const first = queue.run(async () => {
    started.push('first');
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  const second = queue.run(async () => void started.push('second'));
  const third = queue.run(async () => void started.push('third'));
  await Promise.all([second, third].map((waiting) => expect(waiting).rejects.toMatchObject(BUSY)));
  expect(started).toEqual(['first']);
  finish();
  await first;
  await queue.run(async () => void started.push('fourth'));
  expect(started).toEqual(['first', 'fourth']);
});
