import { describe, expect, it } from 'vitest';
import type { DocumentChange } from '../../../../../src/documents/changes/change-log.js';
import type { Topic } from '../../../../../src/api/graphql/subscriptions/delivery.js';
import { createDelivery } from '../../../../../src/api/graphql/subscriptions/delivery.js';
import { EventStream, OperationError } from '../../../../../src/api/graphql/subscriptions/event-stream.js';
import type { EventStreamOptions } from '../../../../../src/api/graphql/subscriptions/event-stream.js';

const topic: Topic = { type: 'api::tag.tag', kind: 'created', documentId: null, watch: null };

const changeOf = (documentId: string): DocumentChange => ({
  action: 'create',
  type: 'api::tag.tag',
  documentId,
  locale: null,
  status: 'published',
  watches: [],
});

/** Delivers the id of each changed document; a change of `refused` ends with an error. */
const runChange: EventStreamOptions['run'] = async (change) => {
  const delivery = createDelivery(change);
  if (change.documentId === 'refused')
    return { delivery, response: { status: 200, body: { errors: [{ message: 'Forbidden' }] }, reads: null } };
  delivery.topic = topic;
  delivery.shouldSend = change.documentId !== 'hidden';
  return { delivery, response: { status: 200, body: { data: { id: change.documentId } }, reads: null } };
};

const createStream = (options: Partial<EventStreamOptions> = {}) => {
  const calls: string[] = [];
  const stream = new EventStream({
    topic,
    changeFeed: {
      acquire: async () => void calls.push('acquire'),
      release: () => void calls.push('release'),
      watch: async () => ({ key: 'key', end: () => void calls.push('end watch') }),
    },
    run: runChange,
    takeTurn: (work) => work(),
    onClose: () => void calls.push('close'),
    ...options,
  });
  return { stream, calls };
};

describe('the events of a subscription', () => {
  it('are the changes of its topic that the subscriber receives, in order', async () => {
    const { stream } = createStream();
    for (const documentId of ['a', 'hidden', 'b']) stream.push(changeOf(documentId), ['created']);
    stream.push(changeOf('updated'), ['updated']);
    stream.push({ ...changeOf('other'), type: 'api::note.note' }, ['created']);
    expect(stream.pendingCount).toBe(3);
    expect(await stream.next()).toEqual({ done: false, value: { data: { id: 'a' } } });
    expect(await stream.next()).toEqual({ done: false, value: { data: { id: 'b' } } });
    expect(stream.pendingCount).toBe(0);
  });

  it('end immediately while a reader waits for the next', async () => {
    const { stream, calls } = createStream();
    await stream.open();
    const next = stream.next();
    await stream.return();
    stream.close();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(calls).toEqual(['acquire', 'release', 'close']);
  });

  it('leave out an event whose delivery had begun when they ended', async () => {
    let finish: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { stream } = createStream({
      run: async (change) => {
        await started;
        return runChange(change);
      },
    });
    stream.push(changeOf('a'), ['created']);
    const next = stream.next();
    stream.close();
    finish();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('end with an error when the subscriber has lost the permission', async () => {
    const { stream, calls } = createStream();
    stream.push(changeOf('refused'), ['created']);
    await expect(stream.next()).rejects.toThrow(OperationError);
    expect(calls).toEqual(['close']);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});
