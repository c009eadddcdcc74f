import type { GraphQLSchema } from 'graphql';
import type { ContentModel } from '../../model/model.js';
import { firstQuery } from './first-query.js';

export interface PlaygroundOptions {
  readonly model: ContentModel;
  /** What is served now. */
  readonly schema: () => GraphQLSchema;
  /** Whether the schema can be asked for. */
  readonly introspection: boolean;
}

const settingsOf = ({ introspection }: PlaygroundOptions): Readonly<Record<string, unknown>> => ({
  // The content-types may have changed since.
  'schema.reloadOnStart': introspection,
  'alert.disableUpdateNotification': true,
  disablePushNotification: true,
  'banners.disable': true,
  'plugin.list': [],
});

/**
 * The script that starts the page. Where the endpoint is, only the browser knows: there may be a proxy on the way, and other sites behind it, whose
 * queries and tokens the browser keeps apart by the path.
 */
export function printOptions(options: PlaygroundOptions): string {
  const { schema, model } = options;
  const fixed = {
    initialQuery: firstQuery(schema(), model),
    initialSubscriptionRequestHandlerId: 'graphql-ws',
    initialSettings: { theme: 'system' },
    persistedSettings: settingsOf(options),
    disableAccount: true,
  };
  return `const path = location.pathname.replace(/\\/+$/, '');
const endpoint = location.origin + path;
AltairGraphQL.init({
  ...${JSON.stringify(fixed)},
  endpointURL: endpoint,
  subscriptionsEndpoint: endpoint.replace(/^http/, 'ws'),
  instanceStorageNamespace: 'galley_' + path + '_',
});
`;
}
