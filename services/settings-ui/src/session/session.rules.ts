/** What a signed-in browser is remembered by; kept under the hash of the token that its cookie holds. */
export interface StoredSession {
  tenantId: number;
  adminId: number;
  credentialsVersion: number;
  csrfSecret: string;
  startedAt: number;
}

/** Who a request comes from. */
export interface Session {
  tenantId: number;
  adminId: number;
  email: string;
  /** What the tokens of this session's forms are made from. */
  csrfSecret: string;
  token: string;
}
