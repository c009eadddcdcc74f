import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detectTextKind, detectType, isAllowed, isPlausibleType } from '../../../src/media/detect-type.js';
import { svgSize } from '../../../src/media/images/image-library.js';

describe('detecting kinds of text', () => {
  it.each([
    ['hello', 'text'],
    ['', 'text'],
    ['a < b and <i>c</i>', 'text'],
    ['\uFEFF  <!-- note --><svg width="1">', 'svg'],
    [
      '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" ' +
        '[ <!ENTITY a "b"> ]><svg xmlns="x">',
      'svg',
    ],
    ['<x:svg xmlns:x="http://www.w3.org/2000/svg">', 'svg'],
    ['<!DOCTYPE html>', 'html'],
    ['\n\t<ScRiPt>alert(1)</ScRiPt>', 'html'],
    ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', 'html'],
    ['<?xml version="1.0"?><feed/>', 'xml'],
    ['<rss version="2.0">', 'xml'],
    ['a\u0000b', 'binary'],
  ])('%j is %s', (text, kind) => {
    expect(detectTextKind(Buffer.from(text))).toBe(kind);
  });

  it('reads UTF-16', () => {
    expect(detectTextKind(Buffer.from('\uFEFF<html>', 'utf16le'))).toBe('html');
    expect(detectTextKind(Buffer.from('\uFEFFhello', 'utf16le').swap16())).toBe('text');
  });

  // What took quadratic time would not end before the test's timeout.
  it('reads hostile beginnings', () => {
    for (const text of [
      '<!--'.repeat(16_000),
      '<!doctype ['.repeat(6000),
      ' '.repeat(64_000),
      '<?'.repeat(32_000),
      `<!doctype ${'x'.repeat(64_000)}`,
    ])
      expect(detectTextKind(Buffer.from(text))).not.toBe('svg');
  });
});

describe('detecting types of files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-detect-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['%PDF-1.7\n', '.pdf', 'application/pdf', '.pdf'],
    ['%PDF-1.7\n', '.png', 'application/pdf', '.pdf'],
    ['%PDF-1.7\n', '', 'application/pdf', '.pdf'],
    ['a,b\n1,2\n', '.csv', 'text/csv', '.csv'],
    ['{"a":1}', '.json', 'application/json', '.json'],
    ['hello', '.png', 'text/plain', '.txt'],
    ['hello', '.weird', 'text/plain', '.weird'],
    ['hello', '', 'text/plain', '.txt'],
    ['<svg/>', '', 'image/svg+xml', '.svg'],
    ['<svg/>', '.svg', 'image/svg+xml', '.svg'],
    ['<svg/>', '.xml', 'image/svg+xml', '.svg'],
    ['<!DOCTYPE html>', '.png', 'text/html', '.html'],
    ['<?xml version="1.0"?><rss/>', '.rss', 'application/rss+xml', '.rss'],
    ['\u0000\u0002\u0003', '.png', 'application/octet-stream', '.bin'],
    ['\u0000\u0002\u0003', '.dat', 'application/octet-stream', '.dat'],
    ['GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;', '.gif', 'image/gif', '.gif'],
  ])('%j named %s is %s', async (content, extension, mime, ext) => {
    const path = join(folder, 'file');
    await writeFile(path, content, 'latin1');
    expect(await detectType(path, extension)).toEqual({ mime, ext });
  });
});

describe('plausible types of files', () => {
  it.each([
    ['image/png', 'image/png', true],
    ['image/jpg', 'image/jpeg', true],
    ['IMAGE/PNG; x=y', 'image/png', true],
    ['', 'image/png', true],
    ['application/octet-stream', 'text/html', true],
    ['image/png', 'image/jpeg', false],
    ['image/png', 'text/html', false],
    ['video/mp4', 'audio/mp4', true],
    ['video/mp4', 'image/png', false],
    ['text/plain', 'text/html', true],
    ['text/plain', 'application/octet-stream', false],
    ['application/vnd.ms-excel', 'text/csv', true],
    ['application/pdf', 'application/zip', false],
    ['application/zip', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', true],
    ['application/vnd.made-up', 'application/octet-stream', true],
    ['application/vnd.made-up', 'text/html', false],
  ])('%s for %s: %s', (claimed, actual, honest) => {
    expect(isPlausibleType(claimed, actual)).toBe(honest);
  });
});

describe('allowed types of files', () => {
  it.each([
    [['*'], [], 'text/html', true],
    [['images'], [], 'image/png', true],
    [['images'], [], 'application/pdf', false],
    [['files'], [], 'application/pdf', true],
    [['files'], [], 'image/png', false],
    [['image/*', 'application/pdf'], [], 'application/pdf', true],
    [['*'], ['image/svg+xml'], 'image/svg+xml', false],
    [[], [], 'image/png', false],
    [['application/vnd.oasis.*'], [], 'application/vnd.oasis.opendocument.text', true],
    [['application/vnd.oasis.*'], [], 'application/pdf', false],
    [['*/*+xml'], ['image/s*g*xml'], 'application/atom+xml', true],
    [['*/*+xml'], ['image/s*g*xml'], 'image/svg+xml', false],
    [['a/b*b'], [], 'a/b', false],
  ])('%j without %j: %s is %s', (allowedTypes, deniedTypes, mime, allowed) => {
    expect(isAllowed(mime, { allowedTypes, deniedTypes })).toBe(allowed);
  });
});

describe('the size of an SVG', () => {
  it.each([
    ['<svg width="20" height="10px">', { width: 20, height: 10 }],
    ['<svg viewBox="0 0 24 12.4">', { width: 24, height: 12 }],
    ['<svg width="100%" height="100%" viewBox="0,0,30,40">', { width: 30, height: 40 }],
    ['<svg>', null],
    ['<svg width="1e9" height="1">', null],
  ])('%s', (head, size) => {
    expect(svgSize(head)).toEqual(size);
  });
});
