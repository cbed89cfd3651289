import { defineConfig } from "vite";

/** In development the page comes from Vite and all else from a running skidpad. */
const SKIDPAD = process.env.SKIDPAD_URL ?? "http://127.0.0.1:8520";

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    // The same bytes from the same sources, on any machine: CI compares them with web/dist.
    sourcemap: false,
    chunkSizeWarningLimit: 1000,
    license: true,
  },
  server: { proxy: { "/api": { target: SKIDPAD, ws: true } } },
});
