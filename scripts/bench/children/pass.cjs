/** A Lambda of one function: `node pass.cjs BUNDLE`. Gets events over IPC, answers each with the result and its peak memory. */
const { handler } = require(process.argv[2]);

const context = {
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  getRemainingTimeInMillis: () => 30_000,
};

process.on('message', async (event) => {
  try {
    const result = await handler(event, context);
    process.send({ result, peakKilobytes: process.resourceUsage().maxRSS });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});
