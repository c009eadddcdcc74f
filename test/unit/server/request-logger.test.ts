import { Writable } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/server/logger.js';
import { createRequestLogger } from '../../../src/server/request-logger.js';

const lines: string[] = [];
const stream = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    lines.push(chunk.toString());
    done();
  },
});
const logged = (): readonly unknown[] => lines.map((line) => JSON.parse(line) as unknown);

describe('the logger of a request', () => {
  beforeEach(() => {
    lines.length = 0;
  });

  it('makes no child for what is not logged', () => {
    const parent = createLogger({ level: 'warn', stream });
    const child = vi.spyOn(parent, 'child');
    const logger = createRequestLogger(parent, { reqId: 'r1' });
    for (const say of ['info', 'debug', 'trace', 'silent'] as const) logger[say]('quiet');
    expect(logger.level).toBe('warn');
    expect(child).not.toHaveBeenCalled();
    expect(lines).toEqual([]);
  });

  it('says every line with the request it belongs to, without secrets', () => {
    const logger = createRequestLogger(createLogger({ level: 'info', stream }), { reqId: 'r2' });
    logger.info({ user: { password: 'hunter2' } }, 'first');
    logger.error('second %s', 'time');
    logger.child({ plugin: 'own' }).warn('third');
    expect(logged()).toMatchObject([
      { reqId: 'r2', user: { password: '[removed]' }, msg: 'first' },
      { reqId: 'r2', msg: 'second time' },
      { reqId: 'r2', plugin: 'own', msg: 'third' },
    ]);
  });

  it('can be made to say more', () => {
    const logger = createRequestLogger(createLogger({ level: 'warn', stream }), { reqId: 'r3' });
    logger.level = 'debug';
    logger.debug('now');
    expect(logged()).toMatchObject([{ reqId: 'r3', msg: 'now' }]);
  });

  it('keeps the level that a route asks for', () => {
    const logger = createRequestLogger(
      createLogger({ level: 'info', stream }),
      { reqId: 'r4' },
      { level: 'silent' },
    );
    logger.error('nothing');
    expect(lines).toEqual([]);
  });
});
