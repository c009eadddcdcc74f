import { expect, it } from 'vitest';
import { parseDocumentText, parseAttributeText } from '../../../../src/transfer/store/document-text.js';
import { readJsonLines } from '../../../../src/transfer/tables/read-table.js';
import type { TableRow } from '../../../../src/transfer/tables/table.js';
import type { Attribute, ContentType } from '../../../../src/model/model.js';

const attribute = (type: string): Attribute => ({ name: 'a', type, family: 'scalar' }) as Attribute;
const TYPE = { singularName: 'coin', attributes: {} } as unknown as ContentType;

it('texts of numbers stay texts where a number would be rounded, for validation to refuse', () => {
  expect(parseAttributeText(attribute('decimal'), '4.250')).toBe(4.25);
  expect(parseAttributeText(attribute('integer'), ' 12 ')).toBe(12);
  for (const type of ['decimal', 'float'])
    expect(parseAttributeText(attribute(type), '0.12345678901234567891')).toBe('0.12345678901234567891');
  expect(() => parseAttributeText(attribute('json'), '{"a":1234567890123456789}')).toThrow(
    'at a would be rounded',
  );
});

it('files of content are refused with the line of a number that would be rounded', () => {
  const parse = (text: string) => parseDocumentText(TYPE, { file: 'a.yaml', text });
  expect(parse('a: 1.10\nb: 0x1F\nc: "1234567890123456789"\n')).toEqual({
    a: 1.1,
    b: 31,
    c: '1234567890123456789',
  });
  expect(() => parse('a: 1\nb:\n  - c: 1234567890123456789\n')).toThrow(
    /a\.yaml:3.*1234567890123456789 would be rounded/,
  );
});

it('rows of JSON lines are refused for a number that would be rounded', async () => {
  const texts = async function* (): AsyncGenerator<string> {
    yield '{"a":1.10}\n{"a":1234567890123456789}\n';
  };
  const rows: TableRow[] = [];
  for await (const row of readJsonLines(texts(), 'a.jsonl').rows) rows.push(row);
  expect(rows).toMatchObject([
    { values: { a: 1.1 }, problem: null },
    { problem: expect.stringContaining('at a would be rounded') as string },
  ]);
});
