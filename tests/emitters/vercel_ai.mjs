// The scene as Vercel's AI SDK plays it, with its own telemetry: node vercel_ai.mjs ADDRESS FILE
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { generateText, stepCountIs, tool } from "ai";
import { writeFileSync } from "node:fs";
import { z } from "zod";

const [address, file, scene] = [process.argv[2], process.argv[3], JSON.parse(process.argv[4])];
const spans = new InMemorySpanExporter();
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ "service.name": "shop-desk" }),
  spanProcessors: [new SimpleSpanProcessor(spans)],
});
provider.register();
const shop = createOpenAICompatible({ name: "shop", baseURL: address, apiKey: "none" });
await generateText({
  model: shop("scripted-1"),
  system: scene.system,
  prompt: scene.request,
  maxRetries: 0,
  stopWhen: stepCountIs(8),
  tools: {
    find_order: tool({
      description: "Look an order up.",
      inputSchema: z.object({ order_id: z.string() }),
      execute: async ({ order_id }) => {
        if (order_id !== "A-17") throw new Error(`There is no order ${order_id}.`);
        return scene.order;
      },
    }),
    refund_order: tool({
      description: "Pay money back for an order.",
      inputSchema: z.object({ order_id: z.string(), amount: z.number() }),
      execute: async ({ amount }) => ({ ...scene.refund, amount }),
    }),
  },
  experimental_telemetry: { isEnabled: true, functionId: "desk", tracer: provider.getTracer("ai") },
});
writeFileSync(file, JsonTraceSerializer.serializeRequest(spans.getFinishedSpans()));
