import { expect, it } from 'vitest';
import { checkedCalls, DOCUMENT_PARAMS } from '../../../../src/strapi/database/call-params.js';

const methods = {
  findMany: (_params?: Readonly<Record<string, unknown>>): Promise<string> => Promise.resolve('found'),
  delete: (_params?: Readonly<Record<string, unknown>>): Promise<string> => {
    throw new Error('at once');
  },
};

const callsOf = (isSeen: boolean): typeof methods =>
  checkedCalls(methods, { call: 'documents', params: DOCUMENT_PARAMS, isSeen: () => isSeen });

it('refuses parameters that nothing reads, unless middlewares of the project may', async () => {
  await expect(callsOf(false).findMany({ filter: {} })).rejects.toThrow(
    'documents.findMany does not take the parameter filter.',
  );
  await expect(callsOf(true).delete({ filters: {} })).rejects.toThrow('the parameter filters.');
  expect(await callsOf(true).findMany({ filter: {} })).toBe('found');
  expect(await callsOf(false).findMany({ filters: {}, where: undefined })).toBe('found');
  expect(await callsOf(false).findMany()).toBe('found');
});

it('rejects where a method throws', async () => {
  await expect(callsOf(false).delete({ documentId: 'a' })).rejects.toThrow('at once');
});
