import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { reportError } from '../../../../src/cli/terminal/report-error.js';
import { createError } from '../../../../src/errors/catalogue.js';
import { errorOfResponse } from '../../../../src/transfer/remote/send.js';
import { invalidValues } from '../../../../src/documents/validation/issues.js';

const issue = (name: string, message: string) => ({
  path: ['seo', name],
  message,
  name: 'ValidationError' as const,
});
const ISSUES = [
  issue('title', 'must be set'),
  issue('price', 'must be at least 0'),
  issue('day', 'is no date'),
];

const report = (error: unknown, { json = false, columns }: { json?: boolean; columns?: number } = {}) => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const screen = columns === undefined ? {} : { isTTY: true, columns };
  const terminal = { stdin: process.stdin, stdout, stderr: Object.assign(stderr, screen), env: {}, cwd: '/' };
  reportError(error, terminal, { json, color: false });
  return String((json ? stdout : stderr).read());
};

describe('reports of errors', () => {
  const remote = (): Error => {
    const { message, details } = invalidValues(ISSUES);
    const answer = { error: { message, details } };
    return errorOfResponse({ name: 'shop', url: 'http://shop' }, { status: 400, body: answer });
  };

  it.each([
    ['here', () => invalidValues(ISSUES)],
    ['of a remote server', remote],
  ])('list every issue once, as text and as JSON (%s)', (_place, create) => {
    expect(report(create())).toBe(
      'Error: seo.title must be set\n  seo.price: must be at least 0\n  seo.day: is no date\n',
    );
    expect(JSON.parse(report(create(), { json: true }))).toMatchObject({
      error: {
        message: 'seo.title must be set',
        issues: ISSUES.map(({ path, message }) => ({ path, message })),
      },
    });
  });

  it('keep the count of issues that are not listed', () => {
    expect(report(invalidValues(ISSUES, 200))).toContain('(and 199 more)\n  seo.price: ');
  });

  it('do not repeat issues that the message holds', () => {
    const details = { errors: ISSUES };
    const summary = ISSUES.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
    const error = createError('config/invalid', { file: 'cms.config.ts', summary }, { details });
    expect(report(error)).toBe(`Error: cms.config.ts: ${summary}\n`);
  });

  it('wrap messages and hints between words on a terminal', () => {
    const reason = 'one two three four five six seven eight nine ten';
    const text = report(createError('cli/invalid-usage', { reason, remedy: reason }), { columns: 30 });
    expect(text.split('\n').every((line) => line.length <= 30)).toBe(true);
    expect(text.split(/\s+/)).toEqual(['Error:', ...reason.split(' '), 'Hint:', ...reason.split(' '), '']);
  });
});
