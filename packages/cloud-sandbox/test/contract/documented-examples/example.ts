/** One example of AWS's documentation, transcribed: what goes over the wire, and what it says. */
export interface WireExample {
  /** The signing name. */
  readonly service: string;
  readonly operation: string;
  /** Where a page has several: `, by tags`. */
  readonly variant?: string;
  readonly page: string;
  /** What the page has wrong or leaves out, and what was done about it here. */
  readonly sloppy?: string;
  /** As the page writes it: a URL, or a request line, headers, an empty line and a body. */
  readonly request: string;
  /** A status line, headers, an empty line and a body; or only a body. Undefined if the page shows no response. */
  readonly response?: string;
  /** The request in the SDK's terms: what the sandbox must read in it. */
  readonly input: object;
}

/** A refusal as it is documented. */
export interface WireRefusal {
  readonly service: string;
  /** What it answers. */
  readonly operation: string;
  readonly page: string;
  readonly response: string;
  /** A request that it answers, in the SDK's terms. */
  readonly input: object;
  /** The error that the SDK must throw. */
  readonly error: { readonly name: string; readonly message: string; readonly statusCode: number };
  /** Why the sandbox does not write such a text; undefined if it does. */
  readonly notOfTheSandbox?: string;
}
