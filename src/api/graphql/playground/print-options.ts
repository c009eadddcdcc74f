import type { GraphQLSchema } from 'graphql';
import type { ContentModel } from '../../../model/model.js';
import { initialQuery } from './initial-query.js';

export interface PlaygroundOptions {
  readonly model: ContentModel;
  /** Returns the current schema. */
  readonly schema: () => GraphQLSchema;
  /** True if introspection is allowed. */
  readonly introspection: boolean;
}

const settingsOf = ({ introspection }: PlaygroundOptions): Readonly<Record<string, unknown>> => ({
  // The schema may have changed since the page was last opened.
  'schema.reloadOnStart': introspection,
  'alert.disableUpdateNotification': true,
  disablePushNotification: true,
  'banners.disable': true,
  'plugin.list': [],
});

/**
 * Prints the script that starts the page. The script takes the endpoint's address from the page's own,
 * because a proxy may serve the endpoint at another path. Queries and tokens are stored per path, so that
 * several servers behind one origin do not share them.
 */
export function printOptions(options: PlaygroundOptions): string {
  const { schema, model } = options;
  const initOptions = {
    initialQuery: initialQuery(schema(), model),
    initialSubscriptionRequestHandlerId: 'graphql-ws',
    initialSettings: { theme: 'system' },
    persistedSettings: settingsOf(options),
    disableAccount: true,
  };
  return `const path = location.pathname.replace(/\\/+$/, '');
const endpoint = location.origin + path;
AltairGraphQL.init({
  ...${JSON.stringify(initOptions)},
  endpointURL: endpoint,
  subscriptionsEndpoint: endpoint.replace(/^http/, 'ws'),
  instanceStorageNamespace: 'galley_' + path + '_',
});
`;
}
