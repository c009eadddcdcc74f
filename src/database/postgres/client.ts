import type { Client, ClientConfig } from 'pg';
import { detectSessionKind } from './session.js';
import type { SessionKind } from './session.js';

interface OpenClient {
  readonly client: Client;
  readonly kind: SessionKind;
}

/** Opens a connection of its own, in UTC and the schema of the URL. */
export async function openPostgresClient(
  url: string,
  config: Omit<ClientConfig, 'connectionString'>,
): Promise<OpenClient> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ ...config, connectionString: url });
  // Without a listener, the error of a lost connection would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const kind = await detectSessionKind(client, url);
    if (!kind.isPooled) await client.query(kind.settings.join('; '));
    return { client, kind };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
