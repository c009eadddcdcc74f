/** One message of GET /api/events. */
interface EventMessage {
  /** `tags`, `position` or `reset`. Absent: a change. */
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
}

/** A line is a name and a value: `id: 41-mb2k9c1s`. Comments have no name. */
const FIELD = /^(\w+): ?(.*)$/gm;

/** Parses a message. Null: it is a comment. */
const parseMessage = (block: string): EventMessage | null => {
  const fields = Object.fromEntries([...block.matchAll(FIELD)].map(([, name, value]) => [name, value]));
  const { event, id, data } = fields as Partial<EventMessage>;
  return data === undefined ? null : { event, id, data };
};

/**
 * Yields the messages of a response of GET /api/events until it ends. Other servers may send what it does not
 * read, such as data of several lines.
 */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<EventMessage, void> {
  const decoder = new TextDecoder();
  // Not every browser can iterate over a stream.
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = parseMessage(block);
        if (message !== null) yield message;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
