import type { HttpResponse } from '@smithy/core/transport';

/** A request as a client of the AWS SDK hands it to its request handler. */
export interface SdkRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Text or bytes. */
  readonly body?: unknown;
  /** Instead of `body`, for a caller that keeps text and bytes apart. */
  readonly bytes?: Uint8Array | undefined;
}

/** The `requestHandler` of a client of the AWS SDK for JavaScript. */
export interface AwsRequestHandler {
  readonly handle: (
    request: SdkRequest,
    options?: {
      readonly abortSignal?: unknown;
      /** Milliseconds that the caller waits for an answer. */
      readonly requestTimeout?: number | undefined;
    },
  ) => Promise<{ readonly response: HttpResponse }>;
  readonly metadata: { readonly handlerProtocol: string };
  readonly updateHttpClientConfig: (...setting: readonly unknown[]) => undefined;
  readonly httpHandlerConfigs: () => object;
  readonly destroy: () => undefined;
}
