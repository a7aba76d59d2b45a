/** A secret opens for no other. */
export interface SecretOwner {
  tenantId: number;
  endpointId: number;
}

/** How a secret is stored, and what may be shown of it. */
export interface SealedSecret {
  secret: string;
  secret_last_four: string;
}
