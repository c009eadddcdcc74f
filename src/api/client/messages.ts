import { createParser } from 'eventsource-parser';
import type { EventSourceMessage } from 'eventsource-parser';

/** Yields the messages of a response with server-sent events until it ends. */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<EventSourceMessage, void> {
  const received: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void received.push(message) });
  const decoder = new TextDecoder();
  // Not every browser can iterate over a stream.
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* received.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
