interface Mapping {
  readonly claim?: string;
  readonly prefix?: string;
  readonly expression?: string;
}

/** An entry of `jwt`, as far as Drover writes and reads one (Kubernetes reference, "kube-apiserver Configuration (v1)", JWTAuthenticator). */
export interface JwtAuthenticator {
  readonly issuer?: {
    readonly url?: string;
    readonly discoveryURL?: string;
    readonly certificateAuthority?: string;
    readonly audiences?: readonly string[];
  };
  readonly claimValidationRules?: readonly {
    readonly claim?: string;
    readonly requiredValue?: string;
    readonly expression?: string;
    readonly message?: string;
  }[];
  readonly claimMappings?: {
    readonly username?: Mapping;
    readonly groups?: Mapping;
    readonly extra?: readonly { readonly key: string; readonly valueExpression: string }[];
  };
  readonly userValidationRules?: readonly { readonly expression?: string; readonly message?: string }[];
}
