import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMetricsRelay } from '../../../../src/server/telemetry/metrics-relay.js';
import type { CountingWorker, MetricsMessage } from '../../../../src/server/telemetry/metrics-relay.js';

interface FakeWorker extends CountingWorker {
  readonly sent: MetricsMessage[];
}

const createWorker = (isConnected = true): FakeWorker => {
  const sent: MetricsMessage[] = [];
  return { sent, isConnected: () => isConnected, send: (message) => sent.push(message) };
};

describe('the relay of figures between workers', () => {
  it('sends the figures of all to the one that asks', () => {
    const [asker, other, gone] = [createWorker(), createWorker(), createWorker(false)];
    const relay = createMetricsRelay(() => [asker, other, gone]);
    relay.receive(asker, { metrics: 'ask', id: 7 });
    relay.receive(other, { metrics: 'ask', id: 7 });
    expect(asker.sent).toEqual([
      { metrics: 'count', id: 1 },
      { metrics: 'count', id: 2 },
    ]);
    expect(gone.sent).toEqual([]);
    relay.receive(asker, { metrics: 'counted', id: 1, figures: 'a' });
    expect(asker.sent).toHaveLength(2);
    relay.receive(other, { metrics: 'counted', id: 1, figures: 'b' });
    expect(asker.sent.at(-1)).toEqual({ metrics: 'all', id: 7, figures: ['a', 'b'] });
    expect(other.sent).toHaveLength(2);
  });

  it('does not wait for a worker that hangs, nor take its figures too late', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const [asker, hanging] = [createWorker(), createWorker()];
    const relay = createMetricsRelay(() => [asker, hanging]);
    relay.receive(asker, { metrics: 'ask', id: 1 });
    relay.receive(asker, { metrics: 'counted', id: 1, figures: 'a' });
    vi.advanceTimersByTime(2000);
    expect(asker.sent.at(-1)).toEqual({ metrics: 'all', id: 1, figures: ['a'] });
    relay.receive(hanging, { metrics: 'counted', id: 1, figures: 'late' });
    expect(asker.sent).toHaveLength(2);
  });

  it('leaves other messages alone', () => {
    const asker = createWorker();
    const relay = createMetricsRelay(() => [asker]);
    for (const message of [null, 'text', { error: { message: 'no' } }, { metrics: 'ask' }])
      relay.receive(asker, message);
    expect(asker.sent).toEqual([]);
  });
});
