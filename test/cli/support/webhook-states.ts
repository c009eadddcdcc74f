import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExampleState } from './example-states.js';

const WITH_WEBHOOK: ExampleState = {
  prepare: ({ cms }) => cms('cms webhook add build https://example.com/hook --event entry.publish'),
};

const WITH_RECEIVER: ExampleState = {
  prepare: async ({ cms }) => {
    const server = createServer((_request, response) => response.end());
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
    server.unref();
    await cms(`cms webhook add build http://127.0.0.1:${port} --event entry.publish`);
  },
};

/** What the examples of commands about webhooks need. */
export const WEBHOOK_STATES: Readonly<Record<string, ExampleState>> = {
  'cms webhook list': WITH_WEBHOOK,
  'cms webhook show build': WITH_WEBHOOK,
  'cms webhook test build': WITH_RECEIVER,
  'cms webhook enable build': WITH_WEBHOOK,
  'cms webhook disable build': WITH_WEBHOOK,
  'cms webhook redeliver --failed --webhook build': WITH_WEBHOOK,
  'cms webhook remove build': WITH_WEBHOOK,
  'cms webhook remove build --dry-run': WITH_WEBHOOK,
};
