import pg from 'pg';

interface Wire {
  on(event: 'error', listener: () => void): void;
  stream: { destroy(): void };
}

/** Closes its connection where it can't sign in: node-postgres leaves it open, until PostgreSQL ends it a minute later. */
export class ClosingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // Not among the types.
    const { connection } = this as unknown as { connection: Wire };
    connection.on('error', () => connection.stream.destroy());
  }
}
