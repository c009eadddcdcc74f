import { strapi } from '@strapi/client';
import type { StrapiClient } from '@strapi/client';
import type { Site } from '../support/site.js';

/** The API as a front end sees it: the published client, with an access key, a JWT, or nothing. */
export const connect = (site: Site, auth?: string): StrapiClient =>
  strapi({ baseURL: `${site.server.url}/api`, ...(auth === undefined ? {} : { auth }) });

interface Credentials {
  readonly identifier: string;
  readonly password: string;
}

/**
 * The client signs in by itself before its first request: its other strategy, which only its constructor
 * takes.
 */
export const connectAs = (site: Site, options: Credentials): StrapiClient => {
  const anonymous = connect(site);
  const { constructor: Client } = anonymous;
  return Reflect.construct(Client, [
    { baseURL: anonymous.baseURL, auth: { strategy: 'users-permissions', options } },
  ]) as StrapiClient;
};

export interface Session {
  readonly jwt: string;
  readonly user: { readonly id: number; readonly username: string };
}

/** Signs up or in as the client's documentation shows: by its own fetch. */
export const postCredentials = async (
  client: StrapiClient,
  path: string,
  body: Readonly<Record<string, string>>,
): Promise<Session> => {
  const response = await client.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Session;
};
