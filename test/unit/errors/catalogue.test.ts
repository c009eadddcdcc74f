import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CATALOGUE, fail } from '../../../src/errors/catalogue.js';
import type { ErrorCode } from '../../../src/errors/catalogue.js';
import { HTTP_ERRORS } from '../../../src/errors/http-status.js';
import { printCatalogue } from '../../../src/errors/print-catalogue.js';

const PAGE = new URL('../../../docs/errors.md', import.meta.url);

const codes = Object.keys(CATALOGUE) as ErrorCode[];

describe('the reference page of errors', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, printCatalogue(CATALOGUE));
  const page = readFileSync(PAGE, 'utf8');

  it('lists the codes of the catalogue and no others', () => {
    const listed = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, code]) => code);
    expect(new Set(listed)).toEqual(new Set(codes));
    expect(listed).toHaveLength(codes.length);
  });

  it('is what the catalogue prints (rewrite it with UPDATE_DOCS=1)', () => {
    expect(page).toBe(printCatalogue(CATALOGUE));
  });
});

describe('the catalogue', () => {
  it.each(codes)('%s is complete', (code) => {
    const error = fail(code);
    expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*\/[a-z]+(?:-[a-z]+)*$/);
    expect(error.message).not.toBe('');
    expect(error.code).toBe(code);
    expect(HTTP_ERRORS).toHaveProperty(error.kind);
  });

  it('fills in what an error is about, in message and remedy', () => {
    const error = fail('request/unknown-locale', { locale: '$& {locale}' });
    expect(error.message).toBe('The locale $& {locale} is not configured.');
    expect(error.hint).toBe('Add it with: cms locale add $& {locale}');
  });
});

describe('the printer', () => {
  it('keeps markup out of the cells', () => {
    const page = printCatalogue({ 'room/what': { kind: 'usage', message: 'a | b\n<c> `d` *e*', hint: 'f_g' } });
    expect(page.split('\n').at(-2)).toBe('| `room/what` | usage | – | a \\| b \\<c\\> \\`d\\` \\*e\\* | f\\_g |');
  });

  it('prints the status of the kind, and that there is no remedy', () => {
    const page = printCatalogue({ 'room/what': { kind: 'pagination', message: 'no' } });
    expect(page.split('\n').at(-2)).toBe('| `room/what` | pagination | 400 | no | – |');
  });
});
