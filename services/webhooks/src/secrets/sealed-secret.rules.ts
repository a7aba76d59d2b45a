/** A secret opens for no other. */
export interface SecretOwner {
  tenantId: number;
  endpointId: number;
}

/** Headers are for one URL as well. */
export interface HeadersOwner extends SecretOwner {
  url: string;
}

/** Names in lower case → values. */
export type CustomHeaders = Record<string, string>;

/** Headers of an endpoint's own, as they are stored: their values are never shown. */
export interface SealedHeaders {
  headers: string | null;
  header_names: string[];
}

/** How a secret is stored, and what may be shown of it. */
export interface SealedSecret {
  secret: string;
  secret_last_four: string;
}
