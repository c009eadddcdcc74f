import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CATALOGUE, createError } from '../../../src/errors/catalogue.js';
import type { ErrorCode } from '../../../src/errors/catalogue.js';
import { HTTP_ERRORS } from '../../../src/errors/galley-error.js';
import { printCatalogue } from '../../../src/errors/print-catalogue.js';

const PAGE = new URL('../../../docs/errors.md', import.meta.url);

const codes = Object.keys(CATALOGUE) as ErrorCode[];

describe('the reference page of errors', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, printCatalogue(CATALOGUE));
  const page = readFileSync(PAGE, 'utf8');

  it('lists exactly the codes of the catalogue', () => {
    const listed = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, code]) => code);
    expect(new Set(listed)).toEqual(new Set(codes));
    expect(listed).toHaveLength(codes.length);
  });

  it('is up to date (update it with UPDATE_DOCS=1)', () => {
    expect(page).toBe(printCatalogue(CATALOGUE));
  });
});

describe('the catalogue', () => {
  it.each(codes)('%s has a valid code, a message and a known kind', (code) => {
    const error = createError(code);
    expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*\/[a-z]+(?:-[a-z]+)*$/);
    expect(error.message).not.toBe('');
    expect(error.code).toBe(code);
    expect(HTTP_ERRORS).toHaveProperty(error.kind);
  });

  it('fills parameters into message and hint', () => {
    const error = createError('cli/missing-value', { label: '$& {label}' });
    expect(error.message).toBe('Missing $& {label}.');
    expect(error.hint).toContain('Pass $& {label}.');
  });

  it('ends a sentence with one period', () => {
    const { message } = createError('remote/forbidden', { name: 'production', reason: 'It is private.' });
    expect(message).toBe('production does not allow the token to do that: It is private.');
  });

  it('requires every parameter of message and hint', () => {
    // @ts-expect-error The hint has a word, too.
    const error = createError('access/token-exists', { name: 'ci' });
    expect(error.hint).toContain('{word}');
  });
});

describe('the printer', () => {
  it('escapes markup in the cells', () => {
    const page = printCatalogue({
      'room/what': { kind: 'usage', message: 'a | b\n<c> `d` *e*', hint: 'f_g' },
    });
    expect(page.split('\n').at(-2)).toBe(
      '| `room/what` | usage | – | a \\| b \\<c\\> \\`d\\` \\*e\\* | f\\_g |',
    );
  });

  it('prints the status of the kind, and a dash for a missing remedy', () => {
    const page = printCatalogue({ 'room/what': { kind: 'pagination', message: 'no' } });
    expect(page.split('\n').at(-2)).toBe('| `room/what` | pagination | 400 | no | – |');
  });
});
