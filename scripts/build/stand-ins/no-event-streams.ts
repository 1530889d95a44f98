/**
 * Replaces the SDK's event streams, which no operation of Drover has. The SDK imports them dynamically; in a bundle of one file that
 * keeps most of the SDK's core from shaking.
 */
const missing = (): never => {
  throw new Error('bundles have no event streams: see scripts/build/bundle.ts');
};

export const EventStreamSerde = missing;
export const eventStreamSerdeProvider = missing;
/** The client of S3 asks for this when it is made. */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
