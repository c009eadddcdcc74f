import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { DatabaseError } from '../../../src/database/database-error.js';
import { createError } from '../../../src/errors/catalogue.js';
import { limitOutages } from '../../../src/server/logger.js';

describe('the log of outages', () => {
  it('has one line a second of what every request meets, without a stack', () => {
    let time = 0;
    const lines: unknown[] = [];
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(JSON.parse(chunk.toString()));
        done();
      },
    });
    const log = pino(
      { base: null, timestamp: false, hooks: { logMethod: limitOutages(() => time) } },
      stream,
    );
    const away = new DatabaseError({ kind: 'unreachable' }, new Error('connect ECONNREFUSED'));
    for (time = 0; time < 2000; time += 100) log.child({ reqId: time }).error({ err: away }, 'A task failed');
    const line = { level: 50, code: 'server/no-database', reason: 'connect ECONNREFUSED' };
    expect(lines).toMatchObject([line, { ...line, omitted: 9 }]);
    log.warn({ err: createError('database/busy') }, 'busy');
    expect(lines[2]).toMatchObject({ level: 40, code: 'database/busy' });
    for (let count = 0; count < 2; count += 1) log.error({ err: new Error('a fault') }, 'Code failed');
    expect(lines.slice(3)).toMatchObject([{ msg: 'Code failed' }, { msg: 'Code failed' }]);
    expect(JSON.stringify(lines.slice(0, 3))).not.toContain('stack');
  });
});
