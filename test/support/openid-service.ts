import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** Somebody with an account at the service. */
interface ServiceUser {
  readonly email: string;
  readonly email_verified: boolean;
  readonly preferred_username: string;
}

/** A real OpenID Connect service, at which everybody who comes is signed in as `user` at once. */
export interface OpenidService {
  readonly issuer: string;
  user: ServiceUser;
  /** Follows an address at the service, as a browser does, to where it sends the browser back. */
  readonly visit: (address: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

const createProvider = (issuer: string, redirectUris: readonly string[], userOf: () => ServiceUser) =>
  new Provider(issuer, {
    clients: [
      {
        client_id: 'galley',
        client_secret: 'a secret of the service',
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['preferred_username'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...userOf() }) }),
    loadExistingGrant: async ({ oidc }) => {
      const clientId = oidc.client?.clientId;
      const accountId = oidc.session?.accountId;
      if (clientId === undefined || accountId === undefined) return undefined;
      const grant = new oidc.provider.Grant({ clientId, accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key'] },
  });

/** Starts the service. `redirectUris` are the addresses that it sends browsers back to. */
export async function startOpenidService(redirectUris: readonly string[]): Promise<OpenidService> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: OpenidService = {
    issuer,
    user: { email: 'ann@example.com', email_verified: true, preferred_username: 'ann' },
    visit: async (address) => {
      const cookies = new Map<string, string>();
      for (let next = address; ;) {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
        const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${next} has answered ${response.status}`);
        next = new URL(location, issuer).href;
        if (!next.startsWith(issuer)) return next;
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const provider = createProvider(issuer, redirectUris, () => service.user);
  const answer = provider.callback();
  handle = (request, response) =>
    request.url?.startsWith('/interaction/') === true
      ? provider.interactionFinished(request, response, { login: { accountId: service.user.email } })
      : answer(request, response);
  return service;
}
