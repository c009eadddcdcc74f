import { onTestFinished, vi } from 'vitest';
import type { Site } from './site.js';

/** Returns a function that counts the statements about tags which have run since. */
export function countTagReads({ server }: Site): () => number {
  const { database } = server.app;
  const spies = [vi.spyOn(database, 'readTexts'), vi.spyOn(database, 'readNumber')];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return () => spies.flatMap(({ mock }) => mock.calls.filter(([sql]) => sql.includes('"tags"'))).length;
}
