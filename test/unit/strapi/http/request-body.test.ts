import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readMultipart } from '../../../../src/strapi/http/request-body.js';

const requestOf = (count: number): IncomingMessage => {
  const part = '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=X' };
  return Object.assign(Readable.from([Buffer.from(`${part.repeat(count)}--X--\r\n`)]), {
    headers,
  }) as unknown as IncomingMessage;
};

describe('forms with files that project code reads', () => {
  it('have up to 1000 fields', async () => {
    const { fields, remove } = await readMultipart(requestOf(1000), 1_000_000);
    await remove();
    expect(fields['a']).toHaveLength(1000);
    await expect(readMultipart(requestOf(1001), 1_000_000)).rejects.toMatchObject({
      code: 'upload/too-many-fields',
    });
  });
});
