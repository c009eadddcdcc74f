import { Writable } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/server/logger.js';
import { createRequestLogger, logRequest } from '../../../src/server/request-logger.js';

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

  const finished = {
    method: 'GET',
    path: '/api/tags',
    operation: undefined,
    status: 200,
    ms: 3,
  } as const;

  it('prints a finished request as it would with a child logger', () => {
    const parent = createLogger({ level: 'info', stream }).child({ name: 'site' });
    const child = vi.spyOn(parent, 'child');
    const logger = createRequestLogger(parent, { reqId: 'r5' });
    logRequest(logger, () => finished);
    logRequest(createRequestLogger(parent, { reqId: 'r6' }), () => ({ ...finished, operation: 'query' }));
    // One logger without redaction, and none for a request.
    expect(child.mock.calls).toEqual([[{}, { redact: [] }]]);
    logger.info({ token: 'hunter2' }, 'with a secret');
    logRequest(logger, () => finished);
    const withoutTime = lines.map((line) => line.replace(/"time":"[^"]+"/, '"time":""'));
    const request = (id: string, operation = '') =>
      `{"level":30,"time":"","name":"site","reqId":"${id}","method":"GET","path":"/api/tags",` +
      `${operation}"status":200,"ms":3,"msg":"request"}\n`;
    expect(withoutTime).toEqual([
      request('r5'),
      request('r6', '"operation":"query",'),
      '{"level":30,"time":"","name":"site","reqId":"r5","token":"[removed]","msg":"with a secret"}\n',
      request('r5'),
    ]);
  });

  it('describes a finished request only where the line is printed', () => {
    const describeRequest = vi.fn(() => finished);
    const parent = createLogger({ level: 'warn', stream });
    const [quiet, loud] = [
      createRequestLogger(parent, { reqId: 'r7' }),
      createRequestLogger(parent, { reqId: 'r8' }),
    ];
    loud.level = 'info';
    logRequest(quiet, describeRequest);
    expect(describeRequest).not.toHaveBeenCalled();
    logRequest(loud, describeRequest);
    logRequest(createRequestLogger(parent, { reqId: 'r9' }, { level: 'silent' }), describeRequest);
    expect(logged()).toMatchObject([{ reqId: 'r8', msg: 'request' }]);
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
