/** The parts of the manifests that a cluster may not need, with the names of their objects. */
export const parts = {
  bootstrap: ['drover-bootstrap-tokens', 'drover-node-bootstrapper'],
  /** For instances that ask with their own web identity tokens. */
  'bootstrap-tokens': ['drover-bootstrap-tokens'],
  certificates: ['drover-certificates'],
  identity: ['drover-identity-mapping'],
} as const;

export type Part = keyof typeof parts;
