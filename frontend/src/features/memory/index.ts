export { MemoryPage } from './memory-page'
