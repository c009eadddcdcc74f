import * as Flags from '@oclif/core/flags';

/** Where a server listens. */
export const serverFlags = {
  port: Flags.integer({ min: 0, max: 65_535, description: 'Port to listen on; 0 takes a free one. [default: $PORT, server.port, 1337]' }),
  host: Flags.string({ description: 'Address to listen on; 0.0.0.0 for all. [default: $HOST, server.host, 127.0.0.1]' }),
};
